// A bot on grammY: node telegram.mjs URL TOKEN
import { Bot, InlineKeyboard, InputFile } from "grammy";

const [url, token] = process.argv.slice(2);
const tell = (saw, more = {}) => console.log(JSON.stringify({ saw, ...more }));
const bot = new Bot(token, { client: { apiRoot: url } });
const quiet = { link_preview_options: { is_disabled: true } };

bot.command("ask", async (ctx) => {
  tell("command", { text: ctx.match });
  const keyboard = new InlineKeyboard().text("Yes", "yes").text("No", "no");
  await ctx.reply(`${ctx.match}?`, { ...quiet, reply_markup: keyboard });
});
bot.callbackQuery(/.*/, async (ctx) => {
  tell("press", { text: ctx.callbackQuery.data });
  await ctx.answerCallbackQuery({ text: "noted" });
  await ctx.editMessageText(`You said ${ctx.callbackQuery.data}.`, quiet);
});
bot.on("message:document", async (ctx) => {
  const file = await ctx.getFile();
  const data = await fetch(`${url}/file/bot${token}/${file.file_path}`).then((r) => r.text());
  tell("file", { text: data });
  await ctx.replyWithDocument(new InputFile(Buffer.from(data.toUpperCase()), "loud.txt"));
});
bot.on("edited_message:text", (ctx) => tell("edit", { text: ctx.editedMessage.text }));
bot.on("message:text", async (ctx) => {
  tell("message", { text: ctx.message.text });
  await ctx.replyWithChatAction("typing");
  const sent = await ctx.reply("…", { ...quiet, reply_parameters: { message_id: ctx.message.message_id } });
  if (ctx.message.text === "forget it") {
    await ctx.api.deleteMessage(ctx.chat.id, sent.message_id);
    return;
  }
  const text = `you said ${ctx.message.text}`;
  await ctx.api.editMessageText(ctx.chat.id, sent.message_id, text, {
    ...quiet,
    entities: [{ type: "bold", offset: 0, length: 3 }],
  });
});
bot.catch((err) => tell("fault", { text: String(err.error) }));

await bot.api.setMyCommands([{ command: "ask", description: "ask something" }]);
bot.start({ onStart: (me) => tell("ready", { text: me.username }) });
process.on("SIGTERM", async () => {
  await bot.stop();
  process.exit(0);
});
