/** For NODE_OPTIONS: a process whose clock is a day ahead. */
export const DAY_AHEAD = `--import=data:text/javascript,${encodeURIComponent(`
const Real = Date
const ahead = () => Real.now() + 86_400_000
globalThis.Date = class extends Real {
  constructor(...args) {
    args.length > 0 ? super(...args) : super(ahead())
  }
  static now = ahead
}`)}`
