import type { Hosting } from '../manifest/hosting.ts'

/** Where to put the tag on a platform. */
export const snippetHostings = (tag: string): readonly Hosting[] => [
  {
    platform: 'Plain HTML',
    steps: 'Put the tag into the <head> of the template that every page shares.',
    code: {
      label: 'template.html',
      text: `<head>
  …
  ${tag}
</head>`,
    },
  },
  {
    platform: 'Shopify',
    steps:
      'Online Store, Themes, Edit code, layout/theme.liquid: put the tag just before </head>. Pages of the checkout do not use the theme; report orders from your server.',
    code: { label: 'layout/theme.liquid', text: `  ${tag}\n</head>` },
  },
  {
    platform: 'WooCommerce',
    steps: 'Add this to your must-use plugins, so that it survives theme updates.',
    code: {
      label: 'wp-content/mu-plugins/aisle.php',
      text: `<?php
add_action('wp_head', function () { ?>
${tag}
<?php }, 1);`,
    },
  },
  {
    platform: 'Google Tag Manager',
    steps:
      'Create a Custom HTML tag with this content and the trigger "Initialization - All Pages". An audit reads only the HTML and cannot see the tag there, and the tag misses the first moments of a visit: use the template if you can.',
    code: { label: 'Custom HTML', text: tag },
  },
]
