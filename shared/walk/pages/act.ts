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
  | { is: 'gone'; why: string }
