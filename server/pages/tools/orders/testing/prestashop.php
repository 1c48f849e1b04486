<?php

// Stands for PrestaShop, as far as the recipe calls it while a cart is saved.

define('_PS_VERSION_', '9.0.0');
define('_DB_PREFIX_', 'ps_');

class Module
{
    public $context;
    public $name, $tab, $version, $author, $displayName, $description, $ps_versions_compliancy;

    public function __construct()
    {
        $this->context = new stdClass();
    }
}

/** Keeps the queries. */
class Db
{
    public $queries = [];

    public static function getInstance()
    {
        static $only;
        return $only ??= new Db();
    }

    public function execute($query)
    {
        $this->queries[] = preg_replace('/\s+/', ' ', $query);
        return true;
    }
}

function pSQL($text)
{
    return addslashes($text);
}

/** Saves cart 7 in a request with these cookies: the visit, and the cart in the cookie of PrestaShop. */
function save_cart($visit, $ownCart)
{
    $module = new Aisle();
    $module->context->cookie = (object) ['id_cart' => $ownCart];
    $_COOKIE = $visit === null ? [] : ['aisle_visit' => $visit];
    $module->hookActionCartSave(['cart' => (object) ['id' => 7]]);
}
