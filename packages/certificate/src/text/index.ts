/** Text of others, made fit to be told to people and agents. */
export { withoutUnseen, writeOutUnseen } from './unseen.ts';
