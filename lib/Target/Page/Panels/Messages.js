// What the compiler said: errors, warnings and remarks, at their nodes.

class Messages {
  /** @param {HTMLElement} element @param {App} app */
  constructor(element, app) {
    this.element = element;
    this.app = app;
  }

  paint() {
    const { diagnostics } = this.app.placement.view;
    if (diagnostics.length === 0) {
      this.element.replaceChildren(make("p", { class: "faint" }, "The compiler said nothing."));
      return;
    }
    this.element.replaceChildren(make("ul", { class: "plain" }, ...diagnostics.slice(0, 1000).map((message) => this.makeItem(message))));
  }

  /** @param {{node: number, severity: string, text: string}} message */
  makeItem(message) {
    const text = `${message.severity}: ${message.text}`;
    if (message.node < 0) return make("li", { class: `message ${message.severity}` }, text);
    return make("li", { class: `message ${message.severity}` }, make("button", { type: "button", click: () => this.app.pickNode(message.node, false, true) }, text));
  }
}
