import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { useWords } from '../tools.ts';

interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  /** The error about the value. */
  readonly wrong?: string | undefined;
  readonly isOptional?: boolean;
}

type InputProps = FieldProps & {
  readonly value: string;
  readonly onValue: (value: string) => void;
  readonly type?: 'text' | 'password' | 'url' | 'search';
  readonly inputMode?: 'numeric' | 'url';
  readonly autocomplete?: 'off' | 'current-password' | 'organization' | 'url';
};

/** The library's types distinguish kinds of inputs that have the same attributes here. */
interface TextInput {
  readonly type?: 'text';
}

/** A field with its label above, and a hint or error below. */
export function TextField({ label, hint, wrong, isOptional, value, onValue, ...input }: InputProps) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} wrong={wrong} isOptional={isOptional}>
      <input
        {...(input as TextInput)}
        spellcheck={false}
        id={id}
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
        aria-invalid={wrong === undefined ? undefined : 'true'}
        aria-describedby={describedBy(id, hint, wrong)}
      />
    </Field>
  );
}

type SelectProps<V extends string> = FieldProps & {
  readonly value: V;
  readonly onValue: (value: V) => void;
  readonly options: readonly (readonly [value: V, label: string])[];
};

export function SelectField<V extends string>({
  label,
  hint,
  wrong,
  isOptional,
  value,
  onValue,
  options,
}: SelectProps<V>) {
  const id = useId();
  return (
    <Field id={id} label={label} hint={hint} wrong={wrong} isOptional={isOptional}>
      <select
        id={id}
        value={value}
        onChange={(event) => onValue(event.currentTarget.value as V)}
        aria-describedby={describedBy(id, hint, wrong)}
      >
        {options.map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </Field>
  );
}

type CheckProps = {
  readonly label: string;
  readonly hint?: string;
  readonly checked: boolean;
  readonly onValue: (checked: boolean) => void;
};

export function CheckField({ label, hint, checked, onValue }: CheckProps) {
  const id = useId();
  return (
    <div class="choice">
      <input
        type="checkbox"
        id={id}
        checked={checked}
        onChange={(event) => onValue(event.currentTarget.checked)}
        aria-describedby={describedBy(id, hint, undefined)}
      />
      <div>
        <label for={id}>{label}</label>
        {hint === undefined ? null : (
          <p class="hint" id={`${id}-hint`}>
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}

type RadioProps<V extends string> = {
  readonly legend: string;
  readonly value: V;
  readonly onValue: (value: V) => void;
  readonly options: readonly {
    readonly value: V;
    readonly label: ComponentChildren;
    readonly hint?: string;
  }[];
};

export function RadioField<V extends string>({ legend, value, onValue, options }: RadioProps<V>) {
  const name = useId();
  return (
    <fieldset class="choices">
      <legend>{legend}</legend>
      {options.map((option) => (
        <div class="choice" key={option.value}>
          <input
            type="radio"
            name={name}
            id={`${name}-${option.value}`}
            checked={option.value === value}
            onChange={() => onValue(option.value)}
            aria-describedby={describedBy(`${name}-${option.value}`, option.hint, undefined)}
          />
          <div>
            <label for={`${name}-${option.value}`}>{option.label}</label>
            {option.hint === undefined ? null : (
              <p class="hint" id={`${name}-${option.value}-hint`}>
                {option.hint}
              </p>
            )}
          </div>
        </div>
      ))}
    </fieldset>
  );
}

interface AroundProps {
  readonly id: string;
  readonly label: string;
  readonly hint: string | undefined;
  readonly wrong: string | undefined;
  readonly isOptional: boolean | undefined;
  readonly children: ComponentChildren;
}

function Field({ id, label, hint, wrong, isOptional, children }: AroundProps) {
  const words = useWords();
  return (
    <div class="field">
      <label for={id}>
        {label}
        {isOptional === true ? <span class="hint"> ({words.optional})</span> : null}
      </label>
      {children}
      {hint === undefined ? null : (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {wrong === undefined ? null : (
        <p class="wrong" id={`${id}-wrong`} role="alert">
          {wrong}
        </p>
      )}
    </div>
  );
}

function describedBy(id: string, hint: string | undefined, wrong: string | undefined): string | undefined {
  const ids = [
    ...(hint === undefined ? [] : [`${id}-hint`]),
    ...(wrong === undefined ? [] : [`${id}-wrong`]),
  ];
  return ids.length === 0 ? undefined : ids.join(' ');
}
