// A bot on Slack's own libraries: node slack.mjs URL BOT_TOKEN APP_TOKEN
import { LogLevel, SocketModeClient } from "@slack/socket-mode";
import { WebClient } from "@slack/web-api";

const [url, botToken, appToken] = process.argv.slice(2);
const tell = (saw, more = {}) => console.log(JSON.stringify({ saw, ...more }));
// Silent about a socket that is cut, which the test does.
const silent = { debug() {}, info() {}, warn() {}, error() {}, setLevel() {}, getLevel: () => LogLevel.ERROR, setName() {} };
const web = new WebClient(botToken, { slackApiUrl: url, logger: silent });
const socket = new SocketModeClient({ appToken, logger: silent, clientOptions: { slackApiUrl: url } });
const quiet = { unfurl_links: false, unfurl_media: false, link_names: false, parse: "none" };

// handled tells of what a handler throws, which the libraries swallow.
const handled = (f) => async (event) => {
  try {
    await f(event);
  } catch (err) {
    tell("fault", { text: String(err) });
  }
};

socket.on("message", handled(async ({ event, ack }) => {
  await ack();
  if (event.bot_id || (event.subtype && event.subtype !== "file_share")) {
    return;
  }
  tell("message", { text: event.text });
  for (const file of event.files ?? []) {
    const data = await fetch(file.url_private_download, { headers: { authorization: `Bearer ${botToken}` } }).then((r) => r.text());
    tell("file", { text: data });
    await web.filesUploadV2({ channel_id: event.channel, thread_ts: event.ts, filename: "loud.txt", content: data.toUpperCase() });
    return;
  }
  const button = (id) => ({ type: "button", action_id: id, value: id, text: { type: "plain_text", text: id } });
  const blocks = [
    { type: "section", text: { type: "mrkdwn", text: `you said *${event.text}*` } },
    { type: "actions", elements: [button("yes"), button("no")] },
  ];
  const sent = await web.chat.postMessage({ channel: event.channel, thread_ts: event.ts, text: `you said ${event.text}`, blocks, ...quiet });
  const { messages } = await web.conversations.replies({ channel: event.channel, ts: event.ts });
  tell("thread", { text: String(messages.length) });
  if (event.text === "forget it") {
    await web.chat.delete({ channel: event.channel, ts: sent.ts });
  }
}));
socket.on("slash_commands", handled(async ({ body, ack }) => {
  tell("command", { text: body.text });
  await ack({ text: `You asked for ${body.text}.` });
}));
socket.on("interactive", handled(async ({ body, ack }) => {
  await ack();
  tell("press", { text: body.actions[0].action_id });
  await web.chat.update({
    channel: body.channel.id, ts: body.message.ts, text: `You said ${body.actions[0].action_id}.`, blocks: [], parse: "none", link_names: false,
    unfurl_links: false, unfurl_media: false,
  });
}));
socket.on("connected", () => tell("ready"));

await web.auth.test();
await socket.start();
process.on("SIGTERM", async () => {
  await socket.disconnect();
  process.exit(0);
});
