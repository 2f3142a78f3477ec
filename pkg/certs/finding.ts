/** Why a certificate or key cannot be used, or has to be issued anew. `message` holds no secret. */
export interface Finding {
  readonly problem:
    | 'missing'
    | 'unreadable'
    | 'expired'
    | 'notYetValid'
    | 'notCA'
    | 'keyMismatch'
    | 'wrongIssuer'
    | 'renewalDue'
    | 'specChanged';
  readonly message: string;
}
