"""Reading data where people have it: folders, web servers, buckets, SFTP servers and databases. Reads only."""
