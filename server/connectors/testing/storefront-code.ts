/** Code of a recipe that stands in a storefront, as a function of the names that it uses. */
export const storefrontCode =
  (code: string) =>
  (names: Record<string, unknown>): Promise<void> =>
    new Function(...Object.keys(names), `return (async () => { ${code} })()`)(
      ...Object.values(names),
    )
