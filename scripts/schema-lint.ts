import {
  type AlterTableCmd,
  type ColumnDef,
  type CreateFunctionStmt,
  type DropStmt,
  type IndexStmt,
  type Node,
  parse,
} from 'libpg-query';
import {
  isSeparate,
  type SchemaFile,
  type SchemaRelease,
  separateStatements,
} from '../packages/server/src/platform/database/schema-files.ts';

// What a schema file may contain, so that it can be applied while nodes of the release before it run, and keeps nobody waiting
// (docs/adr/28-two-versions-on-one-database.md). What is not permitted here is refused.

const FIRST_LINE = /^-- (?:expand|contract of (?<replaced>\d{4}))(?:, outside a transaction)?$/;

interface Context {
  readonly isContract: boolean;
  /** Tables and views made by this file, which nobody else uses yet. */
  readonly made: Set<string>;
  /** Functions made by earlier files. */
  readonly functions: ReadonlySet<string>;
  /** Values that the checks of columns permit, by the name of the check: those of earlier statements. */
  readonly permitted: Map<string, readonly string[]>;
  /** Constraints that this file has added to existing tables. */
  readonly unvalidated: Set<string>;
}

/** The faults of all files, in the order in which they are applied, each with the file and the reason. */
export async function schemaFaults(
  files: readonly SchemaFile[],
  releases: readonly SchemaRelease[],
): Promise<string[]> {
  const faults = changedFiles(files, releases);
  const functions = new Set<string>();
  const permitted = new Map<string, readonly string[]>();
  for (const file of files) {
    const { stmts = [] } = await parse(file.sql);
    const statements = stmts.flatMap(({ stmt }) => (stmt === undefined ? [] : [stmt]));
    // the first release has nothing before it
    const isFirst = file.number === 1 && (releases[0] === undefined || file.name in releases[0].files);
    if (!isFirst)
      for (const reason of fileFaults(file, statements, { files, releases, functions, permitted }))
        faults.push(`${file.name}: ${reason}`);
    for (const name of statements.flatMap(functionOf)) functions.add(name);
    for (const [name, values] of statements.flatMap(checksOf)) permitted.set(name, values);
  }
  return faults;
}

function changedFiles(files: readonly SchemaFile[], releases: readonly SchemaRelease[]): string[] {
  return releases.flatMap(({ version, files: released }) =>
    Object.entries(released).flatMap(([name, checksum]) => {
      const file = files.find((each) => each.name === name);
      if (file?.checksum === checksum) return [];
      return `${name}: was released in ${version}, and is ${file === undefined ? 'gone' : 'changed'}: write a migration`;
    }),
  );
}

interface Surroundings {
  readonly files: readonly SchemaFile[];
  readonly releases: readonly SchemaRelease[];
  readonly functions: ReadonlySet<string>;
  readonly permitted: Map<string, readonly string[]>;
}

function fileFaults(file: SchemaFile, statements: readonly Node[], around: Surroundings): string[] {
  const first = file.sql.split('\n', 1)[0] ?? '';
  const found = FIRST_LINE.exec(first);
  if (found === null && file.number > 1)
    return [
      'its first line must be "-- expand" or "-- contract of 0003", the number of the file that replaced what goes',
    ];
  const replaced = found?.groups?.replaced;
  const context: Context = {
    isContract: replaced !== undefined,
    made: new Set(),
    functions: around.functions,
    permitted: around.permitted,
    unvalidated: new Set(),
  };
  const faults =
    replaced === undefined || wasReleasedBefore(file, Number(replaced), around)
      ? []
      : [`file ${replaced} of its capability is in no earlier release: what it replaces is still in use`];
  if (isSeparate(file)) return [...faults, ...indexFaults(file, statements, context)];
  return [...faults, ...statements.flatMap((statement) => statementFault(statement, context) ?? [])];
}

/** Whether a release before that of the file brought the file with the number. */
function wasReleasedBefore(file: SchemaFile, number: number, { files, releases }: Surroundings): boolean {
  const replaced = files.find((each) => each.capability === file.capability && each.number === number);
  if (replaced === undefined) return false;
  const own = releases.findIndex(({ files: those }) => file.name in those);
  const before = own === -1 ? releases : releases.slice(0, own);
  return before.some(({ files: those }) => replaced.name in those);
}

/** Outside a transaction, an attempt that failed leaves an index that is not valid: it is dropped first. */
function indexFaults(file: SchemaFile, statements: readonly Node[], context: Context): string[] {
  const [drop, create] = [statements[0], statements[1]];
  const isPair =
    statements.length === 2 &&
    separateStatements(file).length === 2 &&
    drop !== undefined &&
    'DropStmt' in drop &&
    create !== undefined &&
    'IndexStmt' in create &&
    isDropOf(drop.DropStmt, create.IndexStmt);
  if (!isPair)
    return [
      'outside a transaction, it must be "drop index concurrently if exists x; create index concurrently x …"',
    ];
  return create.IndexStmt.unique === true && !context.isContract ? [NARROWS] : [];
}

function isDropOf(drop: DropStmt, { concurrent, idxname }: IndexStmt): boolean {
  const isIndex = drop.removeType === 'OBJECT_INDEX' && drop.concurrent === true && drop.missing_ok === true;
  return isIndex && concurrent === true && idxname !== undefined && textsIn(drop.objects).join() === idxname;
}

const NARROWS =
  'a constraint on a table in use refuses what the last release may write: it belongs to a contract file';

/** Why a statement is refused. */
function statementFault(node: Node, context: Context): string | undefined {
  const { made, isContract } = context;
  if ('CreateStmt' in node) {
    const { relation, inhRelations = [], if_not_exists: mayExist } = node.CreateStmt;
    if (mayExist === true) return 'a table that may exist already is not known to be new';
    made.add(relation?.relname ?? '');
    return inhRelations.length === 0
      ? undefined
      : 'a table must not inherit from another, or be a partition of it';
  }
  if ('CreateSeqStmt' in node || 'CreateEnumStmt' in node || 'CommentStmt' in node) return undefined;
  if ('ViewStmt' in node)
    return node.ViewStmt.replace === true && !isContract ? replaces('a view') : undefined;
  if ('CreateFunctionStmt' in node) return functionFault(node.CreateFunctionStmt, context);
  if ('InsertStmt' in node) return made.has(node.InsertStmt.relation?.relname ?? '') ? undefined : REWRITES;
  if ('UpdateStmt' in node || 'DeleteStmt' in node || 'MergeStmt' in node) return REWRITES;
  if ('CreateTrigStmt' in node) {
    const { relname = '' } = node.CreateTrigStmt.relation ?? {};
    return made.has(relname) || isContract
      ? undefined
      : `a trigger on ${relname} would change what the last release writes`;
  }
  if ('IndexStmt' in node) {
    const { relname = '' } = node.IndexStmt.relation ?? {};
    return made.has(relname)
      ? undefined
      : `an index on ${relname} keeps its writers waiting: build it in a file "-- expand, outside a transaction"`;
  }
  if ('AlterTableStmt' in node) {
    const { relation, cmds = [] } = node.AlterTableStmt;
    if (made.has(relation?.relname ?? '') || widensCheck(node, context)) return undefined;
    return cmds
      .flatMap((cmd) => ('AlterTableCmd' in cmd ? (alterFault(cmd.AlterTableCmd, context) ?? []) : []))
      .at(0);
  }
  if ('DropStmt' in node && isContract)
    return node.DropStmt.behavior === 'DROP_CASCADE' ? 'cascade drops what is not named' : undefined;
  return `${Object.keys(node)[0]} is not permitted${'DropStmt' in node ? ' in an expand file' : ''}`;
}

const REWRITES = 'rows of tables in use are changed by a scheduled task in batches, not by a schema file';

const replaces = (what: string) =>
  `replacing ${what} changes what the last release calls: give the new one another name`;

function functionFault(made: CreateFunctionStmt, { isContract, functions }: Context): string | undefined {
  if (isContract) return undefined;
  const isKnown = functions.has(textsIn(made.funcname).at(-1) ?? '');
  return made.replace === true || isKnown ? replaces('a function, or overloading it,') : undefined;
}

/**
 * Whether a statement replaces the check of a column, which permits certain values, by one of the same name that permits all of them and
 * more: what the last release writes is accepted as before. It does not read the table, whose rows the former check has accepted.
 */
function widensCheck(node: Node, { permitted }: Context): boolean {
  if (!('AlterTableStmt' in node)) return false;
  const [drop, add, ...rest] = (node.AlterTableStmt.cmds ?? []).map((cmd) =>
    'AlterTableCmd' in cmd ? cmd.AlterTableCmd : undefined,
  );
  if (drop?.subtype !== 'AT_DropConstraint' || drop.behavior === 'DROP_CASCADE') return false;
  if (add?.subtype !== 'AT_AddConstraint' || rest.length > 0) return false;
  const constraint = add.def !== undefined && 'Constraint' in add.def ? add.def.Constraint : {};
  const [checked] = checksOf(node);
  if (checked === undefined || constraint.conname !== drop.name || constraint.skip_validation !== true)
    return false;
  const [name, values] = checked;
  const before = permitted.get(name);
  return name.endsWith(`.${drop.name}`) && before?.every((value) => values.includes(value)) === true;
}

/** Checks of columns `check (column in ('a', 'b'))`, by table and name (as PostgreSQL makes it), with their column and values. */
function checksOf(node: Node): [name: string, values: readonly string[]][] {
  if ('AlterTableStmt' in node) {
    const table = node.AlterTableStmt.relation?.relname ?? '';
    return (node.AlterTableStmt.cmds ?? []).flatMap((cmd) => {
      const { def, subtype } = 'AlterTableCmd' in cmd ? cmd.AlterTableCmd : {};
      if (subtype !== 'AT_AddConstraint' || def === undefined || !('Constraint' in def)) return [];
      const values = valuesIn(def.Constraint.raw_expr);
      return values === undefined ? [] : [[`${table}.${def.Constraint.conname}`, values]];
    });
  }
  if (!('CreateStmt' in node)) return [];
  const table = node.CreateStmt.relation?.relname ?? '';
  return (node.CreateStmt.tableElts ?? []).flatMap((element) => {
    if (!('ColumnDef' in element)) return [];
    const { colname = '', constraints = [] } = element.ColumnDef;
    return constraints.flatMap((each): [string, readonly string[]][] => {
      const { contype, raw_expr, conname } = 'Constraint' in each ? each.Constraint : {};
      const values = contype === 'CONSTR_CHECK' ? valuesIn(raw_expr) : undefined;
      return values === undefined ? [] : [[`${table}.${conname ?? `${table}_${colname}_check`}`, values]];
    });
  });
}

/** The column, then the values, of `column in ('a', 'b')`; `undefined` for any other expression. */
function valuesIn(expression: Node | undefined): readonly string[] | undefined {
  if (expression === undefined || !('A_Expr' in expression) || expression.A_Expr.kind !== 'AEXPR_IN')
    return undefined;
  const { name, lexpr, rexpr } = expression.A_Expr;
  if (textsIn(name).join() !== '=') return undefined;
  if (lexpr === undefined || !('ColumnRef' in lexpr) || rexpr === undefined || !('List' in rexpr))
    return undefined;
  const values = (rexpr.List.items ?? []).map((item) =>
    'A_Const' in item ? item.A_Const.sval?.sval : undefined,
  );
  if (values.some((value) => value === undefined)) return undefined;
  return [`column ${textsIn(lexpr.ColumnRef.fields).join('.')}`, ...(values as string[])];
}

/** What a contract file may do to a table in use. */
const NARROWING: ReadonlySet<string | undefined> = new Set([
  'AT_DropColumn',
  'AT_DropConstraint',
  'AT_DropNotNull',
  'AT_ColumnDefault',
]);

function alterFault(
  { subtype, def, name }: AlterTableCmd,
  { isContract, unvalidated }: Context,
): string | undefined {
  if (subtype === 'AT_AddColumn')
    return def !== undefined && 'ColumnDef' in def
      ? columnFault(def.ColumnDef)
      : 'a column has no definition';
  if (!isContract)
    return subtype === 'AT_AddConstraint' ? NARROWS : `${subtype} is not permitted in an expand file`;
  if (NARROWING.has(subtype)) return undefined;
  if (subtype === 'AT_AddConstraint') {
    const constraint = def !== undefined && 'Constraint' in def ? def.Constraint : {};
    unvalidated.add(constraint.conname ?? '');
    return constraint.skip_validation === true
      ? undefined
      : 'a constraint reads the whole table under a lock: add it "not valid", and validate it in the next file';
  }
  if (subtype === 'AT_ValidateConstraint')
    return unvalidated.has(name ?? '')
      ? 'the lock of adding a constraint is kept while it is validated: validate it in the next file'
      : undefined;
  if (subtype === 'AT_SetNotNull')
    return 'not null reads the whole table under a lock: add "check (… is not null) not valid", and validate it in the next file';
  return `${subtype} is not permitted`;
}

/** Rewriting a table keeps everybody waiting; what the last release inserts lacks the column. */
function columnFault({ constraints = [], typeName, colname }: ColumnDef): string | undefined {
  const types = textsIn(typeName?.names);
  if (types.some((type) => type.includes('serial'))) return `column ${colname}: a serial rewrites the table`;
  const kinds = new Map(
    constraints.flatMap((each) =>
      'Constraint' in each ? [[each.Constraint.contype, each.Constraint.raw_expr] as const] : [],
    ),
  );
  const isConstant = isConstantValue(kinds.get('CONSTR_DEFAULT'));
  for (const kind of kinds.keys()) {
    if (kind === 'CONSTR_NULL' || (kind === 'CONSTR_DEFAULT' && isConstant)) continue;
    if (kind === 'CONSTR_NOTNULL' && isConstant) continue;
    return `column ${colname}: it must be nullable or have a constant default, and no further constraint`;
  }
  return undefined;
}

function isConstantValue(value: Node | undefined): boolean {
  if (value === undefined) return false;
  if ('TypeCast' in value) return isConstantValue(value.TypeCast.arg);
  return 'A_Const' in value && value.A_Const.isnull !== true;
}

function functionOf(node: Node): string[] {
  return 'CreateFunctionStmt' in node ? textsIn(node.CreateFunctionStmt.funcname).slice(-1) : [];
}

/** The names in a list of nodes, which may be lists in turn. */
function textsIn(nodes: readonly Node[] = []): string[] {
  return nodes.flatMap((node) => {
    if ('String' in node) return node.String.sval ?? '';
    return 'List' in node ? textsIn(node.List.items) : [];
  });
}
