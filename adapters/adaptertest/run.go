package adaptertest

import "testing"

// Run checks everything that chat.Adapter and its optional powers promise.
func Run(t *testing.T, h Harness) {
	cases := []struct {
		name string
		run  func(*bench)
	}{
		{"a direct message arrives whole", directMessage},
		{"a mention in a shared place arrives", mention},
		{"what is said in a thread carries it, and the answer goes there", thread},
		{"own messages are not handed over", ownMessages},
		{"nothing is acknowledged before it is kept", acknowledgement},
		{"what could not be kept comes again, in order", order},
		{"a stop while an event is being kept loses nothing", stopWhileKeeping},
		{"a stop while idle ends at once", stopWhileIdle},
		{"a pressed button arrives as its halves", press},
		{"long answers are split at the limits and taken", splitting},
		{"no text notifies people or shows previews", peace},
		{"nothing is sent of an empty answer", empty},
		{"an answer to a message that is not there is sent all the same", replyToNothing},
		{"each failure has its kind", failures},
		{"what was sent without an answer is found again", find},
		{"what was said is read back as it was told", history},
		{"a server that is away is transient", away},
		{"a cancelled call ends", cancelled},
		{"an edit can be repeated", edit},
		{"an edit of a message that was removed is refused for good", editOfNothing},
		{"the beginning of an answer is shown whole", beginning},
		{"a message can be removed", remove},
		{"typing is shown", typing},
		{"a file comes back byte for byte", download},
		{"only full members are members", member},
		{"a healthy account has no findings", healthy},
		{"refused credentials are told with a remedy", credentials},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) { c.run(open(t, h)) })
	}
}
