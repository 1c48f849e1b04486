import type { Hosting } from '../manifest/hosting.ts'

/** Where a platform takes the tag. */
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
    steps: 'Put this beside your other must-use plugins, so that an update of the theme keeps it.',
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
      'New tag of the type Custom HTML with the tag as its content; trigger Initialization, All Pages. An audit cannot see it there, as it reads the HTML alone, and the first moments of a visit are missed: prefer the template where you can.',
    code: { label: 'Custom HTML', text: tag },
  },
]
