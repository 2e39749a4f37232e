-- expand

-- Documents of parts, such as status lists, of which there is a copy, or may be one that a process had begun to write when it ended.
create table published_documents (
  -- as the service has it
  path text primary key
);
