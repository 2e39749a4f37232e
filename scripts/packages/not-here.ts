process.stderr.write(
  'The sources are not what is published: "npm run pack" builds the packages into dist/npm, to be published from there.\n',
);
process.exitCode = 1;
