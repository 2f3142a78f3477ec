/**
 * The custom resources: schemas, types, defaults, rules, names and labels. Everything here is data or a pure function.
 *
 * Start at `nested-control-plane.ts`, the one object that people write; `components.ts` has the three that the
 * controllers make from it. `schema.ts` is the builder that can only say structural schemas, so a schema and its
 * TypeScript type cannot drift apart; `crd.ts` renders CustomResourceDefinitions from both.
 *
 * This room never talks to an API server and reads no clock.
 */
export * from './components.ts';
export * from './crd.ts';
export type * from './kind-definition.ts';
export * from './kind-definitions.ts';
export * from './labels.ts';
export * from './names.ts';
export * from './nested-control-plane.ts';
export * from './owned-argument-reasons.ts';
export * from './owned-arguments.ts';
export * from './versions.ts';
export type { JsonSchema, Rule } from './schema.ts';
