/** A reason why a local server cannot start, as one sentence for the user of the command. */
export class CannotStart extends Error {}

/** The data directory belongs to a run that is still active. */
export class InUse extends CannotStart {}
