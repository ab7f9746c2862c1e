/** A reason why a local server cannot start, as one sentence for whoever ran the command. */
export class CannotStart extends Error {}

/** The data directory belongs to a run that is still going. */
export class InUse extends CannotStart {}
