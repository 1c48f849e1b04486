/** One thing to do on a page. */
export type PageAct =
  | { do: 'press'; ref: number }
  | { do: 'fill'; fields: readonly { ref: number; text?: string; option?: string }[] }
  | { do: 'open'; url: string }

/** What became of it. `covered`: something else lies where it would be pressed. */
export type ActOutcome =
  | { is: 'done' }
  | { is: 'covered'; by: string }
  | { is: 'no_place' }
  /** `left`: the fields that it did not come to, counted from the end: -1 is the last. */
  | { is: 'gone'; why: string; left: readonly number[] }
