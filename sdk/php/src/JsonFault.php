<?php

declare(strict_types=1);

namespace Touchstone\Certificate;

/** A text is not JSON, or two readers could understand it differently. */
final class JsonFault extends \InvalidArgumentException
{
}
