/** How a platform serves the file at its address, with the right type and cache. */
export interface Hosting {
  platform: string
  steps: string
  /** A file's name or a place, and what stands in it. */
  code?: { label: string; text: string }
}

export const HOSTINGS: readonly Hosting[] = [
  {
    platform: 'nginx',
    steps: 'Put the file beside your site, name it in the server block, and reload nginx.',
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
      'Make the folder .well-known in the document root and put the file into it, with this .htaccess beside it (mod_headers).',
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
      'Make a Worker with this code and the manifest in it, and give it the route shop.example/.well-known/ucp. It works in front of any server.',
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
      'Neither a theme nor an app can serve a file under /.well-known, and a URL redirect is not followed by agents. Shopify publishes an official UCP profile there for stores that take part in its agentic storefronts: check yours with the validator. A store behind a proxy of its own can answer the path there.',
  },
  {
    platform: 'WooCommerce',
    steps:
      'On Apache or nginx, put the file into the document root as above. Where you cannot, let WordPress answer: put the manifest into wp-content/ucp.json, and this beside your other must-use plugins.',
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
    steps: 'Put the manifest beside this route as ucp.json.',
    code: {
      label: 'app/.well-known/ucp/route.ts',
      text: `import manifest from './ucp.json'

export const dynamic = 'force-static'

export const GET = () =>
  Response.json(manifest, { headers: { 'Cache-Control': 'public, max-age=300' } })`,
    },
  },
]
