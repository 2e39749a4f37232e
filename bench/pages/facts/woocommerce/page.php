<?php
/**
 * Renders one product's page of the WordPress in WORDPRESS, with the product's data from its database.
 * RENDER: {"product": id, "template": theme, "locale": …, "options": {name: value}}; without a product: the ids of all.
 * Prints JSON: {"products": […]} or {"html": …, "truth": {…}}.
 */
$asked = json_decode(getenv('RENDER'), true);
$root = rtrim(getenv('WORDPRESS'), '/');
foreach (array(
    'HTTP_HOST' => 'shop.example', 'HTTPS' => 'on', 'REQUEST_METHOD' => 'GET', 'SERVER_PROTOCOL' => 'HTTP/1.1',
    'SCRIPT_NAME' => '/index.php', 'PHP_SELF' => '/index.php', 'REMOTE_ADDR' => '127.0.0.1', 'QUERY_STRING' => '',
    'REQUEST_URI' => $asked['path'] ?? '/',
) as $name => $value) {
    $_SERVER[$name] = $value;
}

if (!isset($asked['path'])) {
    require $root . '/wp-load.php';
    $products = array();
    foreach (wc_get_products(array('limit' => -1, 'status' => 'publish')) as $product) {
        $products[] = array('id' => $product->get_id(), 'path' => wp_make_link_relative($product->get_permalink()));
    }
    echo json_encode(array('products' => $products));
    exit;
}

// options of this page only: the database is not changed
$GLOBALS['wp_filter'] = array();
foreach ($asked['options'] as $name => $value) {
    $GLOBALS['wp_filter']['pre_option_' . $name][10][] = array(
        'accepted_args' => 0,
        'function' => static function () use ($value) { return $value; },
    );
}
$GLOBALS['wp_filter']['locale'][10][] = array(
    'accepted_args' => 0,
    'function' => static function () use ($asked) { return $asked['locale']; },
);

ob_start();
define('WP_USE_THEMES', true);
register_shutdown_function(static function () use ($asked) {
    while (ob_get_level() > 1) {
        ob_end_flush();
    }
    $html = ob_get_clean();
    echo json_encode(array('html' => $html, 'truth' => product_truth(wc_get_product($asked['product']))));
});
require $root . '/wp-blog-header.php';

/** Of several prices the lowest, as displayed by the shop. */
function product_truth($product) {
    $prices = array();
    if ($product->is_type('variable')) {
        foreach ($product->get_visible_children() as $id) {
            $prices[] = wc_get_price_to_display(wc_get_product($id));
        }
    } elseif ($product->is_type('grouped')) {
        foreach ($product->get_children() as $id) {
            $child = wc_get_product($id);
            if ($child && $child->get_price() !== '') {
                $prices[] = wc_get_price_to_display($child);
            }
        }
    } elseif ($product->get_price() !== '') {
        $prices[] = wc_get_price_to_display($product);
    }
    $states = array('instock' => 'InStock', 'outofstock' => 'OutOfStock', 'onbackorder' => 'BackOrder');
    $truth = array('availability' => array($states[$product->get_stock_status()]));
    if ($prices !== array()) {
        $truth['price'] = array((string) round((float) min($prices), wc_get_price_decimals()));
        $truth['currency'] = array(get_woocommerce_currency());
    }
    if ($product->get_sku() !== '') {
        $truth['sku'] = array($product->get_sku());
    }
    $brands = taxonomy_exists('product_brand') ? get_the_terms($product->get_id(), 'product_brand') : false;
    if (is_array($brands)) {
        // WordPress keeps names of terms with entities
        $truth['brand'] = array(html_entity_decode($brands[0]->name));
    }
    return $truth;
}
