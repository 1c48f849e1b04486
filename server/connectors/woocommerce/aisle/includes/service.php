<?php
defined('ABSPATH') || exit;

/**
 * Calls the service. Never throws, and takes at most a megabyte of an answer.
 *
 * @return array{status: int, body: array, problem: string} Status 0: there was no answer. `problem`
 *     says in words what is wrong, and is empty where nothing is.
 */
function aisle_call(string $method, string $path, ?array $body = null, ?array $settings = null, int $timeout = 10): array
{
    $settings = $settings ?? aisle_settings();
    $answer = wp_remote_request($settings['url'] . $path, [
        'method' => $method,
        'timeout' => $timeout,
        // The key goes to the address that was given, and nowhere else.
        'redirection' => 0,
        'limit_response_size' => 1024 * 1024,
        'user-agent' => 'aisle-woocommerce/' . AISLE_VERSION,
        'headers' => [
            'Authorization' => 'Bearer ' . $settings['key'],
            'Content-Type' => 'application/json',
            'Accept' => 'application/json',
        ],
        'body' => $body === null ? null : wp_json_encode($body),
    ]);
    if (is_wp_error($answer)) {
        $problem = sprintf(
            /* translators: 1: address, 2: reason */
            __('Aisle at %1$s does not answer: %2$s', 'aisle'),
            $settings['url'],
            $answer->get_error_message()
        );
        return ['status' => 0, 'body' => [], 'problem' => $problem];
    }
    $status = (int) wp_remote_retrieve_response_code($answer);
    $decoded = json_decode(wp_remote_retrieve_body($answer), true, 64);
    $isGood = $status >= 200 && $status < 300 && is_array($decoded);
    return [
        'status' => $isGood || $status < 200 || $status >= 300 ? $status : 0,
        'body' => is_array($decoded) ? $decoded : [],
        'problem' => $isGood ? '' : aisle_problem_of($status, $decoded, $settings['url']),
    ];
}

/** What a refusal says, in one line. */
function aisle_problem_of(int $status, $decoded, string $url): string
{
    $said = aisle_text($decoded, 'error', 'message');
    if ($said !== '') {
        $details = array_map(
            fn ($detail) => aisle_text($detail, 'field') . ': ' . aisle_text($detail, 'message'),
            array_slice(array_values(aisle_list($decoded, 'error', 'details')), 0, 5)
        );
        return implode(' ', [$said, ...$details]);
    }
    /* translators: 1: address, 2: HTTP status */
    return sprintf(__('%1$s answered %2$d, and not as Aisle does. Is this its address?', 'aisle'), $url, $status);
}

/** The text at a place of an answer, or '' where there is none. */
function aisle_text($value, string ...$path): string
{
    $found = aisle_at($value, ...$path);
    return is_string($found) || is_int($found) || is_float($found) ? mb_substr((string) $found, 0, 500) : '';
}

/** The list or object at a place of an answer, empty where there is none. */
function aisle_list($value, string ...$path): array
{
    $found = aisle_at($value, ...$path);
    return is_array($found) ? $found : [];
}

function aisle_at($value, string ...$path)
{
    foreach ($path as $name) {
        $value = is_array($value) ? ($value[$name] ?? null) : null;
    }
    return $value;
}

/** Where pages of this shop are, if those of its domain with https are not all: a shop on trial. */
function aisle_other_origin(string $domain): ?string
{
    $home = wp_parse_url(home_url());
    $isUsual = $home['scheme'] === 'https' && !isset($home['port']) && $home['host'] === $domain;
    return $isUsual ? null : $home['scheme'] . '://' . $home['host'] . (isset($home['port']) ? ":{$home['port']}" : '');
}

/**
 * The settings as they are kept, after the service has taken the key and named the property of the
 * domain, which it gets if it has none.
 *
 * @return array|WP_Error
 */
function aisle_connect(array $settings)
{
    $parts = wp_parse_url($settings['url']);
    $isLocal = in_array($parts['host'] ?? '', ['localhost', '127.0.0.1'], true);
    $scheme = $parts['scheme'] ?? '';
    if (empty($parts['host']) || ($scheme !== 'https' && !($scheme === 'http' && $isLocal))) {
        return new WP_Error('aisle_url', __('Enter the address of Aisle, with https://.', 'aisle'));
    }
    $settings['url'] = untrailingslashit($settings['url']);
    $listed = aisle_call('GET', '/api/properties', null, $settings);
    if ($listed['problem'] !== '') {
        return new WP_Error('aisle_refused', $listed['problem']);
    }
    $own = array_filter(
        aisle_list($listed['body'], 'properties'),
        fn ($property) => aisle_text($property, 'domain') === $settings['domain']
    );
    $property = reset($own) ?: ['origins' => []];
    $known = aisle_list($property, 'origins');
    $origin = aisle_other_origin($settings['domain']);
    $change = $origin === null || in_array($origin, $known, true) ? [] : ['origins' => [...$known, $origin]];
    $id = aisle_text($property, 'id');
    if ($id === '' || $change) {
        $said = $id === ''
            ? aisle_call('POST', '/api/properties', ['domain' => $settings['domain']] + $change, $settings)
            : aisle_call('PATCH', '/api/properties/' . rawurlencode($id), $change, $settings);
        if ($said['problem'] !== '') {
            return new WP_Error('aisle_refused', $said['problem']);
        }
        $property = $said['body'];
    }
    $id = aisle_text($property, 'id');
    if (!preg_match('/^prop_\w{8,64}$/D', $id)) {
        return new WP_Error('aisle_answer', __('The answer names no property. Is this the address of Aisle?', 'aisle'));
    }
    $days = (int) aisle_text($property, 'lookback_days');
    return ['property' => $id, 'lookback_days' => min(max($days, 1), 90)] + $settings;
}
