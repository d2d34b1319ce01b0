// Package clients runs clients that are not ours against the simulators: the
// libraries that most bots in Node.js are written with. A simulator that only
// our own adapters pass could share their misunderstandings; one that these
// pass, too, speaks as the platform does.
//
// Each script (slack.mjs, telegram.mjs, discord.mjs) is a small bot that
// answers what it hears and prints, one JSON object a line, what its library
// told it. The tests play the people and judge by what the simulator saw: that
// nothing was refused, that no call was a breach, and that everything came once.
//
// They need Node.js and the packages of package-lock.json, so they are built
// with the tag "clients" alone and are no part of "make test": run "make clients".
package clients
