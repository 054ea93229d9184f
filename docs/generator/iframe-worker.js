// Makes search work in pages that are opened from a folder. Browsers refuse to start a worker there, so the script
// of the search worker runs in a hidden frame instead.
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      this.waiting = [];
      this.frame = document.createElement("iframe");
      this.frame.hidden = true;
      this.frame.srcdoc = "<!doctype html>";
      this.frame.onload = () => this.load(url);
      document.documentElement.append(this.frame);
    }

    load(url) {
      const inside = this.frame.contentWindow;
      inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      const script = inside.document.createElement("script");
      script.src = new URL(url, document.baseURI).href;
      script.onload = () => {
        this.ready = true;
        this.waiting.forEach((data) => this.postMessage(data));
      };
      inside.document.head.append(script);
    }

    postMessage(data) {
      if (!this.ready) this.waiting.push(data);
      else this.frame.contentWindow.dispatchEvent(new MessageEvent("message", { data }));
    }

    terminate() {
      this.frame.remove();
    }
  };
}
