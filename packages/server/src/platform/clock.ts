/** The present moment; replaced in tests. */
export type Clock = () => Date;
