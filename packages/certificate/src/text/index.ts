/** Makes third-party text safe to show to people and agents. */
export { printable, withoutCredentials } from './printable.ts';
export { withoutUnseen, writeOutUnseen } from './unseen.ts';
