/** The options of the plugin. */
interface PluginOptions {
  /** The address of Aisle, such as `https://aisle.example`. */
  url: string | undefined
  /** A key with the scope `report:write` for the domain. */
  key: string | undefined
  /** The domain of the storefront. */
  domain: string
  /** Left out: nothing is published for agents. */
  catalog?: {
    /** The public address of the Vendure server. */
    url: string
    /** The page of a product, with `{slug}` in it. */
    productUrl: string
    /** The path of the Shop API, unless it is `shop-api`. */
    shopApiPath?: string
    /** Of a channel other than the default one. */
    channelToken?: string
  }
}

// biome-ignore lint/complexity/noStaticOnlyClass: Vendure's plugins are classes.
export declare class AislePlugin {
  static init(options: PluginOptions): typeof AislePlugin
}
