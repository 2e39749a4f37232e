-- What became of each image, beyond what was found in its bytes.
alter table images
  -- it was given up without its bytes ever having been opened: there is nothing to certify. An order changes nothing about
  -- that; a scan that comes to an end does
  add column given_up          boolean not null default false,
  -- why its manifest does not validate: codes of the C2PA specification, an array of text
  add column manifest_failures jsonb;

-- the store asks for images to be signed whose manifest lies elsewhere, too
alter table stores add column sign_remote_manifests boolean not null default false;

-- it shows in answers from now on; each is made anew when it is asked for
alter table images disable trigger user;
update images i set given_up = true
  from jobs j
  where j.queue = 'image-scans' and j.subject = i.id and j.result = 'failed' and i.source_uhash is null;
-- when we first saw the bytes is not when they were uploaded: only the host's own word counts
update images set upload_date = null where upload_date is not null and last_modified is null;
alter table images enable trigger user;
