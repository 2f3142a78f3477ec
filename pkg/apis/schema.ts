/** The subset of OpenAPI v3 that a structural CRD schema may hold. */
export interface JsonSchema {
  readonly type?: 'string' | 'integer' | 'boolean' | 'object' | 'array';
  readonly description?: string;
  readonly format?: 'int32' | 'int64' | 'date-time';
  readonly default?: unknown;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly maxProperties?: number;
  readonly minProperties?: number;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema;
  readonly items?: JsonSchema;
  readonly 'x-kubernetes-int-or-string'?: true;
  readonly anyOf?: readonly JsonSchema[];
  readonly 'x-kubernetes-preserve-unknown-fields'?: true;
  readonly 'x-kubernetes-list-type'?: 'atomic' | 'set' | 'map';
  readonly 'x-kubernetes-list-map-keys'?: readonly string[];
  readonly 'x-kubernetes-map-type'?: 'atomic' | 'granular';
  readonly 'x-kubernetes-validations'?: readonly Rule[];
}

/** One CEL rule (KEP-2876). `message` tells a person what is allowed and what to do. */
export interface Rule {
  readonly rule: string;
  readonly message: string;
  /** CEL that yields the message; used where the message names the value. */
  readonly messageExpression?: string;
  readonly fieldPath?: string;
  readonly reason?: 'FieldValueInvalid' | 'FieldValueForbidden' | 'FieldValueRequired' | 'FieldValueDuplicate';
  readonly optionalOldSelf?: boolean;
}

/** A node of a schema: its JSON form and, for the compiler only, the type of its values. */
export interface Schema<T, Optional extends boolean = boolean> {
  readonly json: JsonSchema;
  readonly isOptional: Optional;
  /** Never set: carries the type. */
  readonly valueType?: T;
}

/** The TypeScript type of a schema's values, as they come from an API server (defaults filled in). */
export type Infer<S> = S extends Schema<infer T> ? T : never;

type Fields = Readonly<Record<string, Schema<unknown>>>;
type OptionalKeys<F extends Fields> = { [K in keyof F]: F[K] extends Schema<unknown, true> ? K : never }[keyof F];
type ObjectOf<F extends Fields> = { readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Infer<F[K]> } & {
  readonly [K in OptionalKeys<F>]?: Infer<F[K]>;
};

type Described = { readonly description: string; readonly rules?: readonly Rule[] };

function node<T>(json: JsonSchema, rules?: readonly Rule[]): Schema<T, false> {
  const withRules = rules === undefined ? json : { ...json, 'x-kubernetes-validations': rules };
  return { json: withRules, isOptional: false };
}

type StringOptions = Described & Pick<JsonSchema, 'default' | 'pattern' | 'minLength' | 'maxLength'>;

/** A string. Always give `maxLength`: CEL's cost is estimated from it. */
export function string({ rules, ...options }: StringOptions): Schema<string, false> {
  return node({ type: 'string', ...options }, rules);
}

/** One of a closed set of strings. */
export function oneOf<const V extends readonly string[]>(
  values: V,
  { rules, ...options }: Described & { readonly default?: V[number] },
): Schema<V[number], false> {
  return node({ type: 'string', enum: values, ...options }, rules);
}

type NumberOptions = Described & Pick<JsonSchema, 'minimum' | 'maximum'> & { readonly default?: number };

/** A 32-bit integer. */
export function int32({ rules, ...options }: NumberOptions): Schema<number, false> {
  return node({ type: 'integer', format: 'int32', ...options }, rules);
}

/** A 64-bit integer. Only for numbers below 2^53. */
export function int64({ rules, ...options }: NumberOptions): Schema<number, false> {
  return node({ type: 'integer', format: 'int64', ...options }, rules);
}

export function boolean({ rules, ...options }: Described & { readonly default?: boolean }): Schema<boolean, false> {
  return node({ type: 'boolean', ...options }, rules);
}

/** An RFC 3339 time. */
export function dateTime({ description }: Described): Schema<string, false> {
  return node({ type: 'string', format: 'date-time', description });
}

/** Kubernetes' int-or-string, as in quantities and ports. */
function intOrString({ description }: Described): Schema<number | string, false> {
  return node({
    description,
    anyOf: [{ type: 'integer' }, { type: 'string' }],
    'x-kubernetes-int-or-string': true,
  });
}

/**
 * A Kubernetes quantity, not negative: a string, or a whole number, which is why the wire form is int-or-string. Typed as
 * client-node types it in pods, where it is passed on to.
 */
export function quantity({ description }: Described): Schema<string, false> {
  const rule: Rule = {
    rule: `type(self) == int ? self >= 0 : isQuantity(self) && !quantity(self).isLessThan(quantity('0'))`,
    message: 'must be a quantity such as 500m, 2 or 256Mi, not negative',
    reason: 'FieldValueInvalid',
  };
  return node({ ...intOrString({ description }).json, maxLength: 32 }, [rule]);
}

type ObjectOptions = Described & Pick<JsonSchema, 'default' | 'minProperties'>;

/** An object with the given fields. Fields are required unless wrapped by {@link optional} or given a default. */
export function object<F extends Fields>(fields: F, { rules, ...options }: ObjectOptions): Schema<ObjectOf<F>, false> {
  const names = Object.keys(fields);
  const required = names.filter((name) => {
    const field = fields[name];
    return field !== undefined && !field.isOptional && field.json.default === undefined;
  });
  const properties = Object.fromEntries(names.map((name) => [name, fields[name]?.json ?? {}]));
  return node({ type: 'object', ...options, ...(required.length > 0 ? { required } : {}), properties }, rules);
}

type ListOptions = Described & { readonly maxItems: number; readonly minItems?: number } & (
    | { readonly kind: 'atomic' | 'set' }
    | { readonly kind: 'map'; readonly keys: readonly string[] }
  );

/** A list. `kind` decides how server-side apply merges it: as a whole, as a set, or item by item by `keys`. */
export function list<T>(item: Schema<T>, options: ListOptions): Schema<readonly T[], false> {
  const { description, maxItems, minItems, kind, rules } = options;
  const keys = options.kind === 'map' ? { 'x-kubernetes-list-map-keys': options.keys } : {};
  const bounds = minItems === undefined ? { maxItems } : { minItems, maxItems };
  return node(
    { type: 'array', description, ...bounds, 'x-kubernetes-list-type': kind, ...keys, items: item.json },
    rules,
  );
}

/** A map from strings to values of one schema. */
export function map<T>(
  value: Schema<T>,
  { rules, ...options }: Described & { readonly maxProperties: number },
): Schema<Readonly<Record<string, T>>, false> {
  return node({ type: 'object', ...options, additionalProperties: value.json }, rules);
}

/** An object that is passed on as it is, checked where it is used (a pod's affinity, for one). */
export function opaque<T>({ description }: Described): Schema<T, false> {
  return node({ type: 'object', description, 'x-kubernetes-preserve-unknown-fields': true });
}

/** A field that may be absent. */
export function optional<T>(schema: Schema<T>): Schema<T, true> {
  return { json: schema.json, isOptional: true };
}
