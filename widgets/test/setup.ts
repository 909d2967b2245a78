/** jsdom has no canvas: nothing is painted, and it should not say so each time. */
HTMLCanvasElement.prototype.getContext = () => null;
