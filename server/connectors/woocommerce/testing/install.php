<?php
define('WP_INSTALLING', true);
require __DIR__ . '/load.php';
wp_install('Skarn Outdoor', 'admin', 'admin@shop.example', true, '', 'admin');
activate_plugin('woocommerce/woocommerce.php');
