// Starts the emulator: PORT, EVENTS (where signed events go) and SEED (its own seed for Slack, JSON) come as variables.
import { readdirSync, readFileSync } from "node:fs";
import { createEmulator } from "emulate";

const dist = new URL("./node_modules/emulate/dist/", import.meta.url);
const file = readdirSync(dist).find(
  (name) => /^dist-.*\.js$/.test(name) && readFileSync(new URL(name, dist), "utf8").includes("as default,\n  getSlackStore"),
);
const { slackPlugin } = await import(new URL(file, dist));

// It sends events to whoever subscribed, and its own command line has no way to subscribe.
const register = slackPlugin.register;
slackPlugin.register = (app, store, webhooks, ...more) => {
  webhooks.register({ url: process.env.EVENTS, events: ["*"], active: true, owner: "slack" });
  register(app, store, webhooks, ...more);
};

const port = Number(process.env.PORT);
const baseUrl = `http://127.0.0.1:${port}`;
await createEmulator({ service: "slack", port, hostname: "127.0.0.1", baseUrl, seed: { slack: JSON.parse(process.env.SEED) } });
console.log("emulator ready");
