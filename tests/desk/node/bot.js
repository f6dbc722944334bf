// A small bot by Slack's own JavaScript framework: a card with buttons, a form, a file taken and one given back.
import bolt from "@slack/bolt";

const { STANDBY_API_URL: slackApiUrl, BOT_TOKEN: token, APP_TOKEN: appToken } = process.env;
const app = new bolt.App({ token, appToken, socketMode: true, clientOptions: { slackApiUrl }, logLevel: "error" });

const words = (text) => ({ type: "plain_text", text });
const button = (label, action_id, more = {}) => ({ type: "button", text: words(label), action_id, ...more });
const card = [
  { type: "section", text: { type: "mrkdwn", text: "*Weekly report*: needs review" } },
  { type: "actions", elements: [button("Approve", "approve", { style: "primary" }), button("Reject…", "reject")] },
];
const form = {
  type: "modal",
  callback_id: "reason",
  title: words("Reject"),
  submit: words("Send"),
  blocks: [
    {
      type: "input",
      block_id: "why",
      label: words("Why?"),
      element: { type: "plain_text_input", action_id: "text" },
    },
  ],
};

app.event("app_mention", async ({ event, say }) => {
  await say({ text: "A card", blocks: card, thread_ts: event.ts });
});

app.action("approve", async ({ ack, body, client }) => {
  await ack();
  await client.chat.update({
    channel: body.channel.id,
    ts: body.message.ts,
    text: "Approved",
    blocks: [{ type: "section", text: { type: "mrkdwn", text: `Approved by <@${body.user.id}>` } }],
  });
});

app.action("reject", async ({ ack, body, client }) => {
  await ack();
  await client.views.open({
    trigger_id: body.trigger_id,
    view: { ...form, private_metadata: `${body.channel.id} ${body.message.thread_ts}` },
  });
});

app.view("reason", async ({ ack, view, body, client }) => {
  const why = view.state.values.why.text.value;
  if (why === "no") {
    await ack({ response_action: "errors", errors: { why: "Say a little more." } });
    return;
  }
  await ack();
  const [channel, thread_ts] = view.private_metadata.split(" ");
  await client.chat.postMessage({ channel, thread_ts, text: `Rejected by <@${body.user.id}>: ${why}` });
});

// What somebody shares comes back in their thread, in capitals.
app.event("message", async ({ event, client }) => {
  for (const file of event.files ?? []) {
    const answer = await fetch(file.url_private_download, { headers: { Authorization: `Bearer ${token}` } });
    await client.files.uploadV2({
      channel_id: event.channel,
      thread_ts: event.ts,
      filename: `capitals-${file.name}`,
      content: (await answer.text()).toUpperCase(),
    });
  }
});

app.command("/standby", async ({ ack, command, respond }) => {
  await ack();
  await respond({ text: `You said ${command.text}`, response_type: "in_channel" });
});

app.event("app_home_opened", async ({ event, client }) => {
  const blocks = [{ type: "section", text: { type: "mrkdwn", text: "Nothing waits for you." } }];
  await client.views.publish({ user_id: event.user, view: { type: "home", blocks } });
});

await app.start();
console.log("connected");
