const UNITS = ['kB', 'MB', 'GB', 'TB']

/** A number of bytes for people to read: `4.2 MB`. */
export function sizeText(bytes: number): string {
  let size = bytes / 1024
  let unit = 0
  for (; size >= 1024 && unit < UNITS.length - 1; unit += 1) size /= 1024
  return `${size.toFixed(size < 10 ? 1 : 0)} ${UNITS[unit]}`
}
