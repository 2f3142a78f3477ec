/**
 * What the Cluster API v1beta2 contract asks, as far as objects of Cluster API itself are concerned: finding the owning
 * Cluster, its name, and whether work on it is paused. The only room that knows where a field of a foreign object is.
 *
 * Start at `cluster-owner.ts`. Sources: the contract pages of Cluster API v1.14, "Contract rules for ControlPlane".
 */
export * from './cluster-owner.ts';
