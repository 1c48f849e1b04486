/** One scrape of `/metrics`: values by series, such as `name{label="value"}`. */
type Scrape = ReadonlyMap<string, number>

export const readScrape = (exported: string): Scrape =>
  new Map(
    exported
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('#'))
      .map((line) => {
        const end = line.lastIndexOf(' ')
        return [line.slice(0, end), Number(line.slice(end + 1))]
      }),
  )
