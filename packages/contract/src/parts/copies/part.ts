import { codeRows } from '../../code-table.ts';
import type { ContractPart } from '../../part.ts';
import { HOST_STATEMENTS } from './codes.ts';
import { decideCopy, getHostStatements, listCopies, setHostStatements } from './operations.ts';

export const copiesPart: ContractPart = {
  name: 'copies',
  operations: [listCopies, decideCopy, getHostStatements, setHostStatements],
  codes: [
    {
      title: 'Statements about hosts',
      intro: 'In `says`: what the owner of a host states about it, towards a shop that it is like.',
      advice: 'It is the word of its owner, told to the merchant of that shop alone, who confirms it or not.',
      rows: codeRows(HOST_STATEMENTS),
    },
  ],
};
