<?php

declare(strict_types=1);

/** For programs without Composer: `require 'touchstone-certificate/autoload.php';`. */
spl_autoload_register(static function (string $class): void {
    if (strncmp($class, 'Touchstone\\Certificate\\', 23) === 0) {
        $file = __DIR__ . '/src/' . substr($class, 23) . '.php';
        if (is_file($file)) {
            require $file;
        }
    }
});
