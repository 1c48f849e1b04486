/** How a platform serves the file at its address, with the right type and cache. */
export interface Hosting {
  platform: string
  steps: string
  /** The name of a file or a place, and its content. */
  code?: { label: string; text: string }
}

export const HOSTINGS: readonly Hosting[] = [
  {
    platform: 'nginx',
    steps: 'Put the file next to your site, add this to the server block, and reload nginx.',
    code: {
      label: 'server { … }',
      text: `location = /.well-known/ucp {
  alias /var/www/shop/ucp;
  default_type application/json;
  add_header Cache-Control "public, max-age=300";
}`,
    },
  },
  {
    platform: 'Apache',
    steps:
      'Create the folder .well-known in the document root and put the file into it, together with this .htaccess (needs mod_headers).',
    code: {
      label: '.well-known/.htaccess',
      text: `<Files "ucp">
  ForceType application/json
  Header set Cache-Control "public, max-age=300"
</Files>`,
    },
  },
  {
    platform: 'Caddy',
    steps: 'Put the file into /var/www/shop/.well-known, and add this to the site.',
    code: {
      label: 'Caddyfile',
      text: `handle /.well-known/ucp {
  root * /var/www/shop
  header Content-Type application/json
  header Cache-Control "public, max-age=300"
  file_server
}`,
    },
  },
  {
    platform: 'Cloudflare',
    steps:
      'Create a Worker with this code and your manifest, and assign it the route shop.example/.well-known/ucp. It works in front of any server.',
    code: {
      label: 'worker.js',
      text: `const MANIFEST = {} // the content of the file

export default {
  fetch: () =>
    Response.json(MANIFEST, { headers: { 'Cache-Control': 'public, max-age=300' } }),
}`,
    },
  },
  {
    platform: 'Shopify',
    steps:
      'Neither a theme nor an app can serve a file under /.well-known, and agents do not follow a URL redirect. Shopify publishes an official UCP profile there for stores that take part in its agentic storefronts: check yours with the validator. If your store is behind your own proxy, the proxy can serve the file.',
  },
  {
    platform: 'WooCommerce',
    steps:
      'On Apache or nginx, put the file into the document root as above. If you cannot, let WordPress serve it: save the manifest as wp-content/ucp.json, and add this to your must-use plugins.',
    code: {
      label: 'wp-content/mu-plugins/ucp-manifest.php',
      text: `<?php
add_action('init', function () {
  $path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
  if ($path !== '/.well-known/ucp') return;
  header('Content-Type: application/json');
  header('Cache-Control: public, max-age=300');
  readfile(WP_CONTENT_DIR . '/ucp.json');
  exit;
});`,
    },
  },
  {
    platform: 'Next.js',
    steps: 'Save the manifest next to this route as ucp.json.',
    code: {
      label: 'app/.well-known/ucp/route.ts',
      text: `import manifest from './ucp.json'

export const dynamic = 'force-static'

export const GET = () =>
  Response.json(manifest, { headers: { 'Cache-Control': 'public, max-age=300' } })`,
    },
  },
]
