// A bot on discord.js: node discord.mjs URL TOKEN
import { ActionRowBuilder, ButtonBuilder, ButtonStyle, Client, Events, GatewayIntentBits, MessageFlags, Partials } from "discord.js";

const [url, token] = process.argv.slice(2);
const tell = (saw, more = {}) => console.log(JSON.stringify({ saw, ...more }));
const bits = GatewayIntentBits;
const client = new Client({
  intents: [bits.Guilds, bits.GuildMessages, bits.DirectMessages, bits.MessageContent],
  partials: [Partials.Channel],
  allowedMentions: { parse: [], repliedUser: false },
  rest: { api: `${url}/api`, version: "9" },
});
const quiet = { flags: MessageFlags.SuppressEmbeds };

// handled tells of what a handler throws.
const handled = (f) => async (event) => {
  try {
    await f(event);
  } catch (err) {
    tell("fault", { text: String(err) });
  }
};

client.on(Events.MessageCreate, handled(async (message) => {
  if (message.author.bot) {
    return;
  }
  tell("message", { text: message.content });
  for (const file of message.attachments.values()) {
    const data = await fetch(file.url).then((r) => r.text());
    tell("file", { text: data });
    await message.reply({ files: [{ attachment: Buffer.from(data.toUpperCase()), name: "loud.txt" }], ...quiet });
    return;
  }
  await message.channel.sendTyping();
  const row = new ActionRowBuilder().addComponents(
    new ButtonBuilder().setCustomId("yes").setLabel("Yes").setStyle(ButtonStyle.Primary),
  );
  const sent = await message.reply({ content: "…", components: [row], ...quiet });
  if (message.content === "forget it") {
    await sent.delete();
    return;
  }
  await sent.edit({ content: `you said ${message.content}`, ...quiet });
}));
client.on(Events.MessageUpdate, (_, message) => {
  if (!message.author?.bot) {
    tell("edit", { text: message.content });
  }
});
client.on(Events.InteractionCreate, handled(async (interaction) => {
  if (interaction.isButton()) {
    tell("press", { text: interaction.customId });
    await interaction.deferUpdate();
    await interaction.editReply({ content: `You said ${interaction.customId}.`, components: [], ...quiet });
    return;
  }
  tell("command", { text: interaction.commandName });
  await interaction.deferReply();
  await interaction.editReply({ content: `You asked for ${interaction.commandName}.`, ...quiet });
  await interaction.followUp({ content: "For you alone.", flags: MessageFlags.Ephemeral | MessageFlags.SuppressEmbeds });
}));
client.on(Events.ShardResume, () => tell("resumed"));
client.on(Events.Error, (err) => tell("fault", { text: String(err) }));
client.once(Events.ClientReady, async () => {
  await client.application.commands.set([{ name: "ask", description: "ask something" }]);
  tell("ready", { text: client.user.username });
});

await client.login(token);
process.on("SIGTERM", async () => {
  await client.destroy();
  process.exit(0);
});
