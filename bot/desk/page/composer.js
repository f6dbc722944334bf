// The message box: text, files by drop or picker, mentions and slash commands.

import { fileSize, h, toast } from "./dom.js";
import { told } from "./messages.js";
import { bot, post, send, store } from "./store.js";

export class Composer {
  // `posted` is told of each message that went out.
  constructor(posted = () => {}) {
    this.files = [];
    this.posted = posted;
    this.changed = () => {};
    this.chips = h("div", { class: "chips" });
    this.text = h("textarea", { rows: 2, onkeydown: (event) => this.key(event), onpaste: (event) => this.add(event.clipboardData.files) });
    this.picker = h("input", { type: "file", multiple: true, hidden: true, onchange: () => this.picked() });
    this.sendButton = h("button", { class: "primary", onclick: () => this.submit() }, "Send");
    this.element = h("div", { class: "composer" }, this.chips, this.text, this.picker,
      h("div", { class: "row" },
        h("button", { class: "plain", title: "Attach files", onclick: () => this.picker.click() }, "+ Files"),
        h("button", { class: "plain", title: "Mention Standby", onclick: () => this.mention() }, `@${bot().name}`),
        h("span", { class: "grow hint" }, "Enter sends, Shift+Enter breaks the line"), this.sendButton));
  }

  // Where it writes to; `label` says so.
  aim(label, channel, threadTs = "") {
    if (this.text.placeholder !== label) { this.text.placeholder = label; this.text.setAttribute("aria-label", label); }
    if (channel !== this.channel || threadTs !== this.threadTs) this.clear();
    [this.channel, this.threadTs] = [channel, threadTs];
  }

  prepare(text, files) {
    this.clear();
    this.text.value = text;
    this.add(files);
    this.text.focus();
  }

  // Lets files be dropped anywhere on `area`.
  takeDropsOn(area) {
    area.addEventListener("dragover", (event) => { event.preventDefault(); area.classList.add("dropping"); });
    area.addEventListener("dragleave", (event) => { if (!area.contains(event.relatedTarget)) area.classList.remove("dropping"); });
    area.addEventListener("drop", (event) => { event.preventDefault(); area.classList.remove("dropping"); this.add(event.dataTransfer.files); });
  }

  picked() { this.add(this.picker.files); this.picker.value = ""; }

  add(files) { this.files.push(...files); this.show(); }

  show() {
    const size = this.files.reduce((sum, file) => sum + file.size, 0);
    const drop = (file) => () => { this.files = this.files.filter((one) => one !== file); this.show(); };
    const chips = this.files.map((file) => h("span", { class: "chip" }, file.name, h("small", {}, fileSize(file.size)), h("button", { class: "plain", "aria-label": `Remove ${file.name}`, onclick: drop(file) }, "×")));
    this.chips.replaceChildren(...(this.files.length > 1 ? [h("b", {}, `${this.files.length} files, ${fileSize(size)}`)] : []), ...chips);
    this.changed();
  }

  mention() {
    this.text.setRangeText(`@${bot().name} `, this.text.selectionStart, this.text.selectionEnd, "end");
    this.text.focus();
  }

  key(event) {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    this.submit();
  }

  clear() { this.text.value = ""; this.files = []; this.show(); }

  async submit() {
    const text = this.text.value.trim();
    if (!text && !this.files.length) return;
    this.sendButton.disabled = true;
    try {
      const command = [...store.state.app.commands, "/invite"].find((one) => text === one || text.startsWith(`${one} `));
      if (command) await told(send("/commands", { channel: this.channel, command, text: text.slice(command.length).trim() }));
      else this.posted((await post(this.channel, text, this.files, this.threadTs)).message);
      this.clear();
    } catch (error) {
      toast(error.message, "bad");
    } finally {
      this.sendButton.disabled = false;
    }
  }
}
