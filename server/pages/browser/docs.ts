/** The part of Swagger UI that we use; it ships no types. */
interface System {
  React: { createElement: (type: unknown, props: object | null, ...children: unknown[]) => unknown }
  getComponent: (name: string, isContainer?: boolean) => unknown
}

declare const SwaggerUIBundle: (options: object) => void

/**
 * Swagger UI within our own page: its layout without a second title, landmark and server list, and
 * without links inside buttons.
 */
const embedded = ({ React: { createElement: h } }: System) => ({
  components: {
    EmbeddedLayout: ({ getComponent }: System) =>
      h(
        'div',
        { className: 'swagger-ui' },
        h(getComponent('SvgAssets'), null),
        h(getComponent('AuthorizeBtnContainer', true), null),
        h('h2', { className: 'sr-only' }, 'Calls'),
        h(getComponent('operations', true), null),
        h(getComponent('Models', true), null),
      ),
    DeepLink: ({ text }: { text: string }) => h('span', null, text),
  },
})

function followColourScheme(): void {
  const dark = matchMedia('(prefers-color-scheme: dark)')
  const apply = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
  dark.addEventListener('change', apply)
  apply()
}

const domNode = document.getElementById('swagger')
const url = domNode?.dataset.url

if (domNode && url) {
  followColourScheme()
  SwaggerUIBundle({
    url,
    domNode,
    plugins: [embedded],
    layout: 'EmbeddedLayout',
    // The document is not sent to a validator.
    validatorUrl: null,
    docExpansion: 'list',
    defaultModelsExpandDepth: 0,
  })
}
