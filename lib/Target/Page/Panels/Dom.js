// Elements of the page.

/** @param {string} id @returns {HTMLElement} */
function byId(id) {
  const element = document.getElementById(id);
  if (!element) throw new Error(`the page has no element ${id}`);
  return element;
}

/**
 * @param {string} tag @param {Record<string, string|number|boolean|((event: any) => void)>} [attributes] functions are listeners
 * @param {...(Node|string)} children @returns {HTMLElement}
 */
function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** @param {string[]} headers @param {(Node|string)[][]} rows */
function makeTable(headers, rows) {
  const head = make("tr", {}, ...headers.map((text) => make("th", { scope: "col" }, text)));
  const body = rows.map((row) => make("tr", {}, ...row.map((cell) => make("td", {}, cell))));
  return make("table", {}, make("thead", {}, head), make("tbody", {}, ...body));
}

/** What screen readers say at once. @param {string} text */
function announce(text) {
  byId("status").textContent = text;
}

/** @param {string} name @param {string} text @param {string} type */
function download(name, text, type) {
  const link = make("a", { href: URL.createObjectURL(new Blob([text], { type })), download: name });
  link.click();
}
