-- Each job asks for its image by its own id; without this it reads the open looks of every store, 200 for each.
create index image_looks_by_job on image_looks (job_id) where job_id is not null;
