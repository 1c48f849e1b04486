<?php
// PHP's own server as Apache with WordPress' rules: files as they are, all else to index.php.
$root = $_SERVER['DOCUMENT_ROOT'];
$path = rawurldecode(parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH));
if ($path !== '/' && is_file($root . $path)) {
    return false;
}
$folder = rtrim($root . $path, '/');
$index = $path !== '/' && is_file("$folder/index.php") ? "$folder/index.php" : "$root/index.php";
$_SERVER['SCRIPT_NAME'] = substr($index, strlen($root));
chdir(dirname($index));
require $index;
