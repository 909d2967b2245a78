/** Searches a graph: finds the matching nodes, and steps through them. */
import type { GraphState } from "./graph_state";
import type { Tools } from "./graph_toolbar";
import type { Lifetime } from "./model";

/** What the view does with matches. */
interface Acts {
  /** mark the matching boxes */
  mark(): void;
  /** a module that hid a node was opened */
  opened(): void;
  /** show this node */
  go(id: string): void;
  /** the search has ended */
  leave(): void;
}

export class GraphSearch {
  /** ids of the matching nodes */
  found: string[] = [];

  constructor(
    life: Lifetime,
    private readonly state: GraphState,
    private readonly tools: Tools,
    private readonly acts: Acts,
  ) {
    life.listen(tools.search, "input", () => this.find());
    life.listen(tools.search, "keydown", (event) => this.key(event));
  }

  private find(): void {
    const wanted = this.tools.search.value.trim().toLowerCase();
    const { nodes } = this.state.data;
    const match = (parts: string[]) =>
      parts.some((part) => part.toLowerCase().includes(wanted));
    this.found =
      wanted === ""
        ? []
        : nodes.filter((n) => match([n.name, n.module, n.cls])).map((n) => n.id);
    this.tools.found(this.found.length);
    this.acts.mark();
  }

  private key(event: KeyboardEvent): void {
    event.stopPropagation();
    if (event.key === "Escape") {
      this.tools.search.value = "";
      this.find();
      this.acts.leave();
    } else if (event.key === "Enter") this.next();
  }

  /** Go to the next matching node, opening what hides it. */
  private next(): void {
    const { state } = this;
    if (this.found.length === 0) return;
    const next = (this.found.indexOf(state.selected) + 1) % this.found.length;
    const id = this.found[next];
    if (state.boxOf(id)?.node === "") {
      state.unfoldTo(id);
      this.acts.opened();
    }
    this.acts.go(id);
    this.tools.found(this.found.length, next);
  }
}
