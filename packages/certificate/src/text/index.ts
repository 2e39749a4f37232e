/** Makes third-party text safe to show to people and agents. */
export { withoutUnseen, writeOutUnseen } from './unseen.ts';
