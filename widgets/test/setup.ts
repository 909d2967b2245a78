/** jsdom has no canvas: nothing is painted, and it should not say so each time. */
if (typeof HTMLCanvasElement !== "undefined")
  HTMLCanvasElement.prototype.getContext = () => null;
