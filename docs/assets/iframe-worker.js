// Search from disk: browsers start no worker from file://, so that its script runs in a hidden frame instead.
// The theme looks for this file by its name, and would fetch one from the network if it were not here.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(address) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.documentElement.append(frame);
      this.inside = frame.contentWindow;
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.inside.importScripts = (...addresses) => Promise.all(addresses.map((one) => this.run(one)));
      this.ready = this.run(address);
    }

    run(address) {
      const script = this.inside.document.createElement("script");
      const done = new Promise((resolve, reject) => Object.assign(script, { onload: resolve, onerror: reject }));
      script.src = address;
      this.inside.document.documentElement.append(script);
      return done;
    }

    async postMessage(data) {
      await this.ready;
      this.inside.dispatchEvent(new MessageEvent("message", { data }));
    }
  };
}
