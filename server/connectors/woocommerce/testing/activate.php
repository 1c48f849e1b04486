<?php
require __DIR__ . '/load.php';
$problem = activate_plugin('aisle/aisle.php');
echo is_wp_error($problem) ? $problem->get_error_message() : '';
