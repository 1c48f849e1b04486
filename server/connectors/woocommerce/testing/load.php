<?php
// WordPress as its administrator has it, for a script: the folder is the first argument.
$_SERVER['HTTP_HOST'] = parse_url(getenv('SHOP_URL'), PHP_URL_HOST);
$_SERVER['REQUEST_URI'] = '/';
error_reporting(E_ALL & ~E_WARNING & ~E_NOTICE);
require $argv[1] . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/admin.php';
require_once ABSPATH . 'wp-admin/includes/upgrade.php';
wp_set_current_user(1);
